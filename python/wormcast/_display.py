"""How objects are shown in notebooks: tables and texts as HTML."""

import html

MOST_ROWS = 60


def text_as_html(value) -> str:
    """What print() shows of an object."""
    return f"<pre>{html.escape(str(value))}</pre>"


def _cell(value):
    return "" if value is None else html.escape(f"{value:.6g}" if isinstance(value, float) else str(value))


def table_as_html(columns, rows, caption="") -> str:
    """Rows, which are dictionaries, as a table; of a long one the first and the last rows."""
    shown = list(rows) if len(rows) <= MOST_ROWS else [*rows[: MOST_ROWS // 2], None, *rows[-MOST_ROWS // 2:]]
    lines = ["<table>", f"<caption>{html.escape(caption)}</caption>",
             "<thead><tr>" + "".join(f"<th>{html.escape(name)}</th>" for name in columns) + "</tr></thead>", "<tbody>"]
    for row in shown:
        cells = ["&#8942;"] * len(columns) if row is None else [_cell(row[name]) for name in columns]
        lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return "\n".join([*lines, "</tbody>", "</table>"])


def page_as_html(page, height=640) -> str:
    """A whole page inside of another one."""
    return (f'<iframe srcdoc="{html.escape(page)}" style="width: 100%; height: {height}px; border: 0" '
            'sandbox="allow-scripts"></iframe>')

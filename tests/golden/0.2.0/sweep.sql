PRAGMA application_id = 2003792493;
PRAGMA user_version = 2;
BEGIN TRANSACTION;
CREATE TABLE points (
  key TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  config TEXT NOT NULL,
  state TEXT NOT NULL,
  result TEXT NOT NULL,
  error TEXT NOT NULL,
  wall_seconds REAL NOT NULL
, checksum TEXT NOT NULL DEFAULT '');
INSERT INTO "points" VALUES('ab97aa87b22bf67119946330c0a1afff','0.2.0','{"topology":{"kind":"mesh","dims":[4,4]},"network":{"startup":"150us","per_hop":"0s","per_byte":"500ns","flit_bytes":1,"buffer_flits":2,"virtual_channels":1,"ports":1,"duplex":"full","switching":"wormhole","hold":"tail","routing":"dimension_order","tie":"no_wrap"},"algorithm":{"name":"scatter_collect","source":0},"message":{"bytes":64},"run":{"mode":"lockstep","engine":"auto","seed":1,"tie_break":"id","start_jitter":"0s"}}','done','{
  "format": "wormcast-result/1",
  "config": {
    "topology": {
      "kind": "mesh",
      "dims": [4, 4]
    },
    "network": {
      "startup": "150us",
      "per_hop": "0s",
      "per_byte": "500ns",
      "flit_bytes": 1,
      "buffer_flits": 2,
      "virtual_channels": 1,
      "ports": 1,
      "duplex": "full",
      "switching": "wormhole",
      "hold": "tail",
      "routing": "dimension_order",
      "tie": "no_wrap"
    },
    "algorithm": {
      "name": "scatter_collect",
      "source": 0
    },
    "message": {
      "bytes": 64
    },
    "run": {
      "mode": "lockstep",
      "engine": "auto",
      "seed": 1,
      "tie_break": "id",
      "start_jitter": "0s"
    }
  },
  "engine": "worm",
  "latency_us": 1560,
  "deadlock_us": null,
  "latency_from_source_us": 1560,
  "alpha": 10,
  "beta": "15/8",
  "predicted_us": 1560,
  "bounds": {
    "alpha": 4,
    "beta": "1",
    "latency_us": 727.9968,
    "latency_alpha": 4,
    "latency_beta": "39999/10000"
  },
  "messages": 111,
  "largest_message": "1/2",
  "bytes_sent": 1088,
  "tcd": 164,
  "max_channel_load": 5,
  "contention": {
    "step": 0,
    "depth": 0,
    "port": 0,
    "sharing": 0,
    "step_wait_us": 0,
    "depth_wait_us": 0,
    "port_wait_us": 0,
    "sharing_wait_us": 0
  },
  "version": "0.2.0"
}
','',0.0,'b30a5af9a20e74dd1d26044d10bdf037');
INSERT INTO "points" VALUES('7ca6c066047d03aa93d7b4f9952f38cf','0.2.0','{"topology":{"kind":"mesh","dims":[4,4]},"network":{"startup":"150us","per_hop":"0s","per_byte":"500ns","flit_bytes":1,"buffer_flits":2,"virtual_channels":1,"ports":1,"duplex":"full","switching":"wormhole","hold":"tail","routing":"dimension_order","tie":"no_wrap"},"algorithm":{"name":"recursive_doubling","source":0},"message":{"bytes":64},"run":{"mode":"lockstep","engine":"auto","seed":1,"tie_break":"id","start_jitter":"0s"}}','done','{
  "format": "wormcast-result/1",
  "config": {
    "topology": {
      "kind": "mesh",
      "dims": [4, 4]
    },
    "network": {
      "startup": "150us",
      "per_hop": "0s",
      "per_byte": "500ns",
      "flit_bytes": 1,
      "buffer_flits": 2,
      "virtual_channels": 1,
      "ports": 1,
      "duplex": "full",
      "switching": "wormhole",
      "hold": "tail",
      "routing": "dimension_order",
      "tie": "no_wrap"
    },
    "algorithm": {
      "name": "recursive_doubling",
      "source": 0
    },
    "message": {
      "bytes": 64
    },
    "run": {
      "mode": "lockstep",
      "engine": "auto",
      "seed": 1,
      "tie_break": "id",
      "start_jitter": "0s"
    }
  },
  "engine": "worm",
  "latency_us": 728,
  "deadlock_us": null,
  "latency_from_source_us": 728,
  "alpha": 4,
  "beta": "4",
  "predicted_us": 728,
  "bounds": {
    "alpha": 4,
    "beta": "1",
    "latency_us": 727.9968,
    "latency_alpha": 4,
    "latency_beta": "39999/10000"
  },
  "messages": 15,
  "largest_message": "1",
  "bytes_sent": 960,
  "tcd": 20,
  "max_channel_load": 2,
  "contention": {
    "step": 0,
    "depth": 0,
    "port": 0,
    "sharing": 0,
    "step_wait_us": 0,
    "depth_wait_us": 0,
    "port_wait_us": 0,
    "sharing_wait_us": 0
  },
  "version": "0.2.0"
}
','',0.0,'31d2120557dc304c93b8b50606f1d540');
INSERT INTO "points" VALUES('044d2ec9383980184f19cb0d6b2d364a','0.2.0','{"topology":{"kind":"mesh","dims":[4,4]},"network":{"startup":"150us","per_hop":"0s","per_byte":"500ns","flit_bytes":1,"buffer_flits":2,"virtual_channels":1,"ports":1,"duplex":"full","switching":"wormhole","hold":"tail","routing":"dimension_order","tie":"no_wrap"},"algorithm":{"name":"recursive_doubling","source":0},"message":{"bytes":4096},"run":{"mode":"lockstep","engine":"auto","seed":1,"tie_break":"id","start_jitter":"0s"}}','done','{
  "format": "wormcast-result/1",
  "config": {
    "topology": {
      "kind": "mesh",
      "dims": [4, 4]
    },
    "network": {
      "startup": "150us",
      "per_hop": "0s",
      "per_byte": "500ns",
      "flit_bytes": 1,
      "buffer_flits": 2,
      "virtual_channels": 1,
      "ports": 1,
      "duplex": "full",
      "switching": "wormhole",
      "hold": "tail",
      "routing": "dimension_order",
      "tie": "no_wrap"
    },
    "algorithm": {
      "name": "recursive_doubling",
      "source": 0
    },
    "message": {
      "bytes": 4096
    },
    "run": {
      "mode": "lockstep",
      "engine": "auto",
      "seed": 1,
      "tie_break": "id",
      "start_jitter": "0s"
    }
  },
  "engine": "worm",
  "latency_us": 8792,
  "deadlock_us": null,
  "latency_from_source_us": 8792,
  "alpha": 4,
  "beta": "4",
  "predicted_us": 8792,
  "bounds": {
    "alpha": 4,
    "beta": "1",
    "latency_us": 4220.5952,
    "latency_alpha": 8,
    "latency_beta": "14749/10000"
  },
  "messages": 15,
  "largest_message": "1",
  "bytes_sent": 61440,
  "tcd": 20,
  "max_channel_load": 2,
  "contention": {
    "step": 0,
    "depth": 0,
    "port": 0,
    "sharing": 0,
    "step_wait_us": 0,
    "depth_wait_us": 0,
    "port_wait_us": 0,
    "sharing_wait_us": 0
  },
  "version": "0.2.0"
}
','',0.0,'e3bc82d392251141ec5a21a78896ce3c');
INSERT INTO "points" VALUES('7842562cba9284de00557e57442c0d3a','0.2.0','{"topology":{"kind":"mesh","dims":[4,4]},"network":{"startup":"150us","per_hop":"0s","per_byte":"500ns","flit_bytes":1,"buffer_flits":2,"virtual_channels":1,"ports":1,"duplex":"full","switching":"wormhole","hold":"tail","routing":"dimension_order","tie":"no_wrap"},"algorithm":{"name":"scatter_collect","source":0},"message":{"bytes":4096},"run":{"mode":"lockstep","engine":"auto","seed":1,"tie_break":"id","start_jitter":"0s"}}','done','{
  "format": "wormcast-result/1",
  "config": {
    "topology": {
      "kind": "mesh",
      "dims": [4, 4]
    },
    "network": {
      "startup": "150us",
      "per_hop": "0s",
      "per_byte": "500ns",
      "flit_bytes": 1,
      "buffer_flits": 2,
      "virtual_channels": 1,
      "ports": 1,
      "duplex": "full",
      "switching": "wormhole",
      "hold": "tail",
      "routing": "dimension_order",
      "tie": "no_wrap"
    },
    "algorithm": {
      "name": "scatter_collect",
      "source": 0
    },
    "message": {
      "bytes": 4096
    },
    "run": {
      "mode": "lockstep",
      "engine": "auto",
      "seed": 1,
      "tie_break": "id",
      "start_jitter": "0s"
    }
  },
  "engine": "worm",
  "latency_us": 5340,
  "deadlock_us": null,
  "latency_from_source_us": 5340,
  "alpha": 10,
  "beta": "15/8",
  "predicted_us": 5340,
  "bounds": {
    "alpha": 4,
    "beta": "1",
    "latency_us": 4220.5952,
    "latency_alpha": 8,
    "latency_beta": "14749/10000"
  },
  "messages": 111,
  "largest_message": "1/2",
  "bytes_sent": 69632,
  "tcd": 164,
  "max_channel_load": 5,
  "contention": {
    "step": 0,
    "depth": 0,
    "port": 0,
    "sharing": 0,
    "step_wait_us": 0,
    "depth_wait_us": 0,
    "port_wait_us": 0,
    "sharing_wait_us": 0
  },
  "version": "0.2.0"
}
','',0.0,'576f6db30e4eb7ef92dc82336ff691ff');
CREATE TABLE sweep (
  document TEXT NOT NULL
);
INSERT INTO "sweep" VALUES('{"axes":["message.bytes","algorithm.name"],"title":"mesh 4 x 4, startup 150us, 0.5us per byte","plots":[{"where":"sweep.toml:20:1","given":{}},{"where":"sweep.toml:22:1","given":{"name":"channel_load","y":"max_channel_load"}}],"points":[{"key":"7ca6c066047d03aa93d7b4f9952f38cf","error":"","cells":["64","recursive_doubling"],"facts":{"nodes":16,"channels":48},"formula":["600000000","2000000"]},{"key":"ab97aa87b22bf67119946330c0a1afff","error":"","cells":["64","scatter_collect"],"facts":{"nodes":16,"channels":48},"formula":["1500000000","937500"]},{"key":"044d2ec9383980184f19cb0d6b2d364a","error":"","cells":["4096","recursive_doubling"],"facts":{"nodes":16,"channels":48},"formula":["600000000","2000000"]},{"key":"7842562cba9284de00557e57442c0d3a","error":"","cells":["4096","scatter_collect"],"facts":{"nodes":16,"channels":48},"formula":["1500000000","937500"]}]}');
CREATE TABLE sweep_points (
  position INTEGER PRIMARY KEY,
  key TEXT NOT NULL,
  cells TEXT NOT NULL,
  facts TEXT NOT NULL
);
INSERT INTO "sweep_points" VALUES(1,'7ca6c066047d03aa93d7b4f9952f38cf','["64","recursive_doubling"]','{"nodes":16,"channels":48}');
INSERT INTO "sweep_points" VALUES(2,'ab97aa87b22bf67119946330c0a1afff','["64","scatter_collect"]','{"nodes":16,"channels":48}');
INSERT INTO "sweep_points" VALUES(3,'044d2ec9383980184f19cb0d6b2d364a','["4096","recursive_doubling"]','{"nodes":16,"channels":48}');
INSERT INTO "sweep_points" VALUES(4,'7842562cba9284de00557e57442c0d3a','["4096","scatter_collect"]','{"nodes":16,"channels":48}');
CREATE VIEW runs AS SELECT
  sweep_points.position AS "position",
  json_extract(sweep_points.cells, '$[0]') AS "message.bytes",
  json_extract(sweep_points.cells, '$[1]') AS "algorithm.name",
  json_extract(sweep_points.facts, '$."nodes"') AS "nodes",
  json_extract(sweep_points.facts, '$."channels"') AS "channels",
  json_extract(points.result, '$."engine"') AS "engine",
  json_extract(points.result, '$."latency_us"') AS "latency_us",
  json_extract(points.result, '$."deadlock_us"') AS "deadlock_us",
  json_extract(points.result, '$."latency_from_source_us"') AS "latency_from_source_us",
  json_extract(points.result, '$."alpha"') AS "alpha",
  json_extract(points.result, '$."beta"') AS "beta",
  json_extract(points.result, '$."predicted_us"') AS "predicted_us",
  json_extract(points.result, '$."bounds"."alpha"') AS "bounds.alpha",
  json_extract(points.result, '$."bounds"."beta"') AS "bounds.beta",
  json_extract(points.result, '$."bounds"."latency_us"') AS "bounds.latency_us",
  json_extract(points.result, '$."bounds"."latency_alpha"') AS "bounds.latency_alpha",
  json_extract(points.result, '$."bounds"."latency_beta"') AS "bounds.latency_beta",
  json_extract(points.result, '$."messages"') AS "messages",
  json_extract(points.result, '$."largest_message"') AS "largest_message",
  json_extract(points.result, '$."bytes_sent"') AS "bytes_sent",
  json_extract(points.result, '$."tcd"') AS "tcd",
  json_extract(points.result, '$."max_channel_load"') AS "max_channel_load",
  json_extract(points.result, '$."contention"."step"') AS "contention.step",
  json_extract(points.result, '$."contention"."depth"') AS "contention.depth",
  json_extract(points.result, '$."contention"."port"') AS "contention.port",
  json_extract(points.result, '$."contention"."sharing"') AS "contention.sharing",
  json_extract(points.result, '$."contention"."step_wait_us"') AS "contention.step_wait_us",
  json_extract(points.result, '$."contention"."depth_wait_us"') AS "contention.depth_wait_us",
  json_extract(points.result, '$."contention"."port_wait_us"') AS "contention.port_wait_us",
  json_extract(points.result, '$."contention"."sharing_wait_us"') AS "contention.sharing_wait_us",
  json_extract(points.config, '$."topology"."kind"') AS "topology.kind",
  json_extract(points.config, '$."topology"."dims"') AS "topology.dims",
  json_extract(points.config, '$."network"."startup"') AS "network.startup",
  json_extract(points.config, '$."network"."per_hop"') AS "network.per_hop",
  json_extract(points.config, '$."network"."per_byte"') AS "network.per_byte",
  json_extract(points.config, '$."network"."flit_bytes"') AS "network.flit_bytes",
  json_extract(points.config, '$."network"."buffer_flits"') AS "network.buffer_flits",
  json_extract(points.config, '$."network"."virtual_channels"') AS "network.virtual_channels",
  json_extract(points.config, '$."network"."ports"') AS "network.ports",
  json_extract(points.config, '$."network"."duplex"') AS "network.duplex",
  json_extract(points.config, '$."network"."switching"') AS "network.switching",
  json_extract(points.config, '$."network"."hold"') AS "network.hold",
  json_extract(points.config, '$."network"."routing"') AS "network.routing",
  json_extract(points.config, '$."network"."tie"') AS "network.tie",
  json_extract(points.config, '$."algorithm"."source"') AS "algorithm.source",
  json_extract(points.config, '$."run"."mode"') AS "run.mode",
  json_extract(points.config, '$."run"."engine"') AS "run.engine",
  json_extract(points.config, '$."run"."seed"') AS "run.seed",
  json_extract(points.config, '$."run"."tie_break"') AS "run.tie_break",
  json_extract(points.config, '$."run"."start_jitter"') AS "run.start_jitter",
  points.state AS state,
  points.error AS error,
  points.wall_seconds AS wall_seconds
FROM sweep_points LEFT JOIN points ON points.key = sweep_points.key
ORDER BY sweep_points.position;
COMMIT;

BEGIN TRANSACTION;
CREATE TABLE plates(
    plate TEXT PRIMARY KEY, file TEXT NOT NULL,
    input TEXT NOT NULL, input_file TEXT NOT NULL, input_digest TEXT NOT NULL,
    settings TEXT NOT NULL, ink TEXT NOT NULL, compression TEXT NOT NULL,
    content_xxh3 TEXT NOT NULL, coverage_percent REAL NOT NULL,
    entered TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
  ) WITHOUT ROWID;
INSERT INTO "plates" VALUES('FOLDER/journal/plates/grey_black.tif','442 11069022 1795338849554406829 1795338849554406829','FOLDER/journal/grey.tif','582 11069010 1795338849318406836 1795338849338406835','xxh3:cf3317d1ae90b6e9a5b042d1f2d13380','method=floyd-steinberg
tone=identity
compression=auto
ink=black
pages=1
software=mezzotint VERSION
','black','g4','197ae73915a0d93a',6.04166666666666642973e+01,'2026-11-22T09:14:09Z');
INSERT INTO "plates" VALUES('FOLDER/journal/plates/ink_black.tif','459 11069021 1795338849533125162 1795338849533125162','FOLDER/journal/ink.tif','1178 11069011 1795338849390406834 1795338849406406833','xxh3:8073286339c885a9d0ad70c96e3a4a84','method=bayer
order=2
tone=gamma 0.9 curve 0:0 50:54 100:100
compression=lzw
ink=black
pages=1
software=mezzotint VERSION
','black','lzw','5da2931a061fdb40',67.5,'2026-11-22T09:14:09Z');
INSERT INTO "plates" VALUES('FOLDER/journal/plates/ink_cyan.tif','448 11069018 1795338849533125162 1795338849533125162','FOLDER/journal/ink.tif','1178 11069011 1795338849390406834 1795338849406406833','xxh3:8073286339c885a9d0ad70c96e3a4a84','method=bayer
order=2
tone=gamma 0.9 curve 0:0 50:54 100:100
compression=lzw
ink=cyan
pages=1
software=mezzotint VERSION
','cyan','lzw','a2072842cc0b0784',0.0,'2026-11-22T09:14:09Z');
INSERT INTO "plates" VALUES('FOLDER/journal/plates/ink_magenta.tif','455 11069019 1795338849533125162 1795338849533125162','FOLDER/journal/ink.tif','1178 11069011 1795338849390406834 1795338849406406833','xxh3:8073286339c885a9d0ad70c96e3a4a84','method=bayer
order=2
tone=gamma 0.9 curve 0:0 50:54 100:100
compression=lzw
ink=magenta
pages=1
software=mezzotint VERSION
','magenta','lzw','a2072842cc0b0784',0.0,'2026-11-22T09:14:09Z');
INSERT INTO "plates" VALUES('FOLDER/journal/plates/ink_yellow.tif','454 11069020 1795338849533125162 1795338849533125162','FOLDER/journal/ink.tif','1178 11069011 1795338849390406834 1795338849406406833','xxh3:8073286339c885a9d0ad70c96e3a4a84','method=bayer
order=2
tone=gamma 0.9 curve 0:0 50:54 100:100
compression=lzw
ink=yellow
pages=1
software=mezzotint VERSION
','yellow','lzw','a2072842cc0b0784',0.0,'2026-11-22T09:14:09Z');
INSERT INTO "plates" VALUES('FOLDER/journal/plates/second.tif','442 11069023 1795338849590406828 1795338849590406828','FOLDER/journal/grey.tif','582 11069010 1795338849318406836 1795338849338406835','xxh3:cf3317d1ae90b6e9a5b042d1f2d13380','method=floyd-steinberg
tone=identity
compression=auto
ink=black
pages=1
software=mezzotint VERSION
','black','g4','197ae73915a0d93a',6.04166666666666642973e+01,'2026-11-22T09:14:09Z');
COMMIT;
PRAGMA user_version=1;

-- The transforms of proxies: the code and what was compiled from it under one seal, and beside it
-- what compiled it, so that a node can tell without the tenant's keys whether that has to be done
-- again. At most two to a proxy, which come and change with it: columns and not a table, so that a
-- proxy is still one row, to read as of one moment and to change at once, on distributed engines
-- as well; and grant_runtime() covers all of it as it is.

ALTER TABLE proxy
  ADD COLUMN request_transform              bytea,
  ADD COLUMN request_transform_key_version  integer,
  ADD COLUMN request_transform_compiler     text,
  ADD COLUMN response_transform             bytea,
  ADD COLUMN response_transform_key_version integer,
  ADD COLUMN response_transform_compiler    text,
  ADD CHECK (
    num_nulls(request_transform, request_transform_key_version, request_transform_compiler)
      IN (0, 3)),
  ADD CHECK (
    num_nulls(response_transform, response_transform_key_version, response_transform_compiler)
      IN (0, 3));

-- Ciphertext does not compress.
ALTER TABLE proxy ALTER COLUMN request_transform SET STORAGE EXTERNAL;
ALTER TABLE proxy ALTER COLUMN response_transform SET STORAGE EXTERNAL;

-- Tokens in full: expressions, parts of data with a shorter life, fingerprints and search indexes;
-- keys of a tenant for several purposes; tenants whose keys were destroyed. The tables are the same,
-- so that grant_runtime() covers all of it as it is.

ALTER TABLE tenant ADD COLUMN shredded_at timestamptz;

ALTER TABLE tenant_key
  ADD COLUMN purpose text NOT NULL DEFAULT 'data',
  DROP CONSTRAINT tenant_key_pkey,
  ADD PRIMARY KEY (tenant_id, purpose, version);

ALTER TABLE token
  ADD COLUMN expressions              bytea,
  ADD COLUMN expressions_key_version  integer,
  ADD COLUMN short_lived              bytea,
  ADD COLUMN short_lived_key_version  integer,
  ADD COLUMN short_lived_until        timestamptz,
  ADD COLUMN fingerprint              text COLLATE "C",
  ADD COLUMN fingerprint_key_version  integer,
  ADD COLUMN search_indexes           text[] COLLATE "C" NOT NULL DEFAULT '{}',
  ADD COLUMN search_index_key_version integer,
  ADD CHECK (num_nulls(expressions, expressions_key_version) IN (0, 2)),
  ADD CHECK (num_nulls(short_lived, short_lived_key_version, short_lived_until) IN (0, 3)),
  ADD CHECK (num_nulls(fingerprint, fingerprint_key_version) IN (0, 2));

-- Ciphertext does not compress.
ALTER TABLE token ALTER COLUMN expressions SET STORAGE EXTERNAL;
ALTER TABLE token ALTER COLUMN short_lived SET STORAGE EXTERNAL;

CREATE INDEX token_fingerprint ON token (tenant_id, fingerprint, created_at)
  WHERE fingerprint IS NOT NULL;
CREATE INDEX token_short_lived ON token (short_lived_until) WHERE short_lived_until IS NOT NULL;
-- Without tenant_id, which would need an extension; the hashes are of one tenant each anyway.
CREATE INDEX token_search_indexes ON token USING gin (search_indexes);
CREATE INDEX token_metadata ON token USING gin (metadata jsonb_path_ops);

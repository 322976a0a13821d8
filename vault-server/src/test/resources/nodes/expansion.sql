-- What a version to come may add, one table at a time.
ALTER TABLE application ADD COLUMN to_come text;
ALTER TABLE proxy ADD COLUMN to_come text;
ALTER TABLE tenant ADD COLUMN to_come integer NOT NULL DEFAULT 1;
ALTER TABLE token ADD COLUMN to_come text;
ALTER TABLE audit_entry ADD COLUMN to_come text;
CREATE INDEX token_to_come ON token (tenant_id, to_come) WHERE to_come IS NOT NULL;
CREATE TABLE to_come (tenant_id uuid PRIMARY KEY);

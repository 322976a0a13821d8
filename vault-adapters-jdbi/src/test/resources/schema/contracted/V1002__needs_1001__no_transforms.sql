-- A version to come that takes something away which today's nodes use.
ALTER TABLE proxy DROP COLUMN request_transform CASCADE;

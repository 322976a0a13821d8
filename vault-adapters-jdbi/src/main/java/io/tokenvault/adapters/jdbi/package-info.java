/** Stores in PostgreSQL through JDBI, their migrations, and the embedded PostgreSQL. */
package io.tokenvault.adapters.jdbi;

/**
 * Every store over one small interface. Implement {@link
 * io.tokenvault.ports.store.document.Storage}, which has 12 methods, over a database, and pass it
 * to {@link io.tokenvault.ports.store.document.DocumentStores}, which holds the rules of all
 * stores: versions, provenance, expiry, deduplication, search, grace periods of keys, and
 * idempotency. Stores without state of their own are records of the transactions that they run in.
 *
 * <p>Lists read every document that their search term finds, or every one of the tenant. For more
 * tokens than that permits, implement the stores of {@code ports.store} one by one.
 */
package io.tokenvault.ports.store.document;

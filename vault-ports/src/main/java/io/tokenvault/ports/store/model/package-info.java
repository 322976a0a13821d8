/**
 * The records that stores take and give. {@code New*} is about to be stored, {@code Stored*} was
 * read. Secret parts are encrypted values; no store ever sees plaintext.
 */
package io.tokenvault.ports.store.model;

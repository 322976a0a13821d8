/**
 * Records that stores accept and return. {@code New*} is about to be stored, {@code Stored*} was
 * read. Secret parts are encrypted values; a store never receives plaintext.
 */
package io.tokenvault.ports.store.model;

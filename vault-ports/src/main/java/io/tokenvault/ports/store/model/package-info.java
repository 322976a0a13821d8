/**
 * Records that several stores accept or return; those of one store are nested in it. {@code New*}
 * is about to be stored, {@code Stored*} was read. Secret parts are encrypted values; a store never
 * receives plaintext.
 */
package io.tokenvault.ports.store.model;

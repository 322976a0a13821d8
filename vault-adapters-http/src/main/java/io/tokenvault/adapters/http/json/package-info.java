/**
 * Reading and writing JSON values without binding. {@code JsonFields} reads the fields of an object
 * by name and type; {@code JsonSink} is the interface for writing. The text writer is one of the
 * few classes that may open sensitive values.
 */
package io.tokenvault.adapters.http.json;

/**
 * Writes the JSON of responses without data binding. Start with {@code JsonTextWriter}, one of the
 * few classes that may expose sensitive values; it writes to a {@code JsonSink}, as text or as a
 * tree.
 */
package io.tokenvault.adapters.http.json;

/**
 * JSON text on Jackson's streaming API. {@code JacksonJson} implements the codec port and accepts
 * RFC 8259 to the letter.
 */
package io.tokenvault.server.json;

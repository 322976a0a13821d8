/**
 * JSON on Jackson's streaming API. Start with {@code JacksonJson}, which implements the codec port
 * and accepts exactly RFC 8259. Error messages contain positions, never parts of the text.
 */
package io.tokenvault.server.json;

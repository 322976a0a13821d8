/**
 * The audit feed as lines of JSON. {@code LineSink} implements the port; {@code EntryLine} defines
 * the format.
 */
package io.tokenvault.server.feed;

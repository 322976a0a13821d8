/** The audit feed as lines of JSON. Start with {@code EntryLine}. */
package io.tokenvault.server.feed;

/** The log on its way out: entries as lines of JSON. */
package io.tokenvault.server.feed;

/** What was looked up lately. */
package io.tokenvault.server.cache;

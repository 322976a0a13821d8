/** What lines of the log look like. */
package io.tokenvault.server.logging;

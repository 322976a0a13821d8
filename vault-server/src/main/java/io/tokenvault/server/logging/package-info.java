/** The format of log lines. */
package io.tokenvault.server.logging;

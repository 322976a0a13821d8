/** The format of log lines: plain by default, JSON on request. {@code LogFormat} selects it. */
package io.tokenvault.server.logging;

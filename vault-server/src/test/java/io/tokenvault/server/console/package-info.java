/** Tests of the built console files and their sources. */
package io.tokenvault.server.console;

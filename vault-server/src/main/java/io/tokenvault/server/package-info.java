/** The running server: composition root, configuration and command line. */
package io.tokenvault.server;

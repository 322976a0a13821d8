/** The console in a browser. One test runs in every build, the others with the tag "long". */
package io.tokenvault.server.e2e.console;

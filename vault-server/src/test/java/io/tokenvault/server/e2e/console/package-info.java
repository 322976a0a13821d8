/** The console in a browser. One path runs in each build, the others with the tag "long". */
package io.tokenvault.server.e2e.console;

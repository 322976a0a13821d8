/** Testing a transform from a file. */
package io.tokenvault.server.cli.transform;

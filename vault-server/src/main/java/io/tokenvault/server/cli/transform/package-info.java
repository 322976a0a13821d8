/** Testing a transform with a sample from a file. {@code TransformTest} is the only command. */
package io.tokenvault.server.cli.transform;

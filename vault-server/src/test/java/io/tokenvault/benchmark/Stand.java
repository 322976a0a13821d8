package io.tokenvault.benchmark;

import io.tokenvault.benchmark.ProxiedRequest.Caller;
import io.tokenvault.benchmark.program.Destination;
import io.tokenvault.benchmark.program.Options;
import io.tokenvault.benchmark.program.Tool;
import io.tokenvault.benchmark.program.VaultUnderTest;
import io.tokenvault.benchmark.program.Workspace;

/** A destination and a vault that reaches it, which end together. */
record Stand(Workspace workspace, Destination destination, VaultUnderTest vault)
    implements AutoCloseable {

  static Stand start(Options options) {
    Tool.WRK.require();
    Workspace workspace = Workspace.create();
    Destination destination = Destination.start(workspace);
    VaultUnderTest vault = VaultUnderTest.start(workspace, options, destination);
    return new Stand(workspace, destination, vault);
  }

  /** A caller of the first tenant's, with a proxy that changes nothing. */
  Caller caller() {
    return Caller.of(vault, vault.management(), ProxiedRequest.plainProxy(destination));
  }

  @Override
  public void close() {
    workspace.close();
  }
}

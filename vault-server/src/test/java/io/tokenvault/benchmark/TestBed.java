package io.tokenvault.benchmark;

import io.tokenvault.benchmark.ProxiedRequest.Caller;
import io.tokenvault.benchmark.program.ApiClient;
import io.tokenvault.benchmark.program.BenchmarkOptions;
import io.tokenvault.benchmark.program.Destination;
import io.tokenvault.benchmark.program.Tool;
import io.tokenvault.benchmark.program.VaultUnderTest;
import io.tokenvault.benchmark.program.Workspace;

/** A vault and a destination that it can reach. */
record TestBed(Workspace workspace, Destination destination, VaultUnderTest vault)
    implements AutoCloseable {

  static TestBed start(BenchmarkOptions options) {
    Tool.WRK.require();
    Workspace workspace = Workspace.create();
    Destination destination = Destination.start(workspace);
    VaultUnderTest vault = VaultUnderTest.start(workspace, options, destination);
    return new TestBed(workspace, destination, vault);
  }

  /** Creates an application and a proxy without transforms for the first tenant. */
  Caller createCaller() {
    return createCaller(vault.management());
  }

  /** Creates an application and a proxy without transforms for the tenant of a management key. */
  Caller createCaller(ApiClient management) {
    return Caller.create(vault, management, ProxiedRequest.plainProxy(destination));
  }

  @Override
  public void close() {
    workspace.close();
  }
}

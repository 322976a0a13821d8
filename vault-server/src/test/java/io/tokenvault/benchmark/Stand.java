package io.tokenvault.benchmark;

import io.tokenvault.benchmark.ProxiedRequest.Caller;
import io.tokenvault.benchmark.program.Destination;
import io.tokenvault.benchmark.program.Forwarder;
import io.tokenvault.benchmark.program.NginxProxy;
import io.tokenvault.benchmark.program.Options;
import io.tokenvault.benchmark.program.Tool;
import io.tokenvault.benchmark.program.VaultUnderTest;
import io.tokenvault.benchmark.program.Workspace;

/** A destination and a vault that reaches it, which end together. */
final class Stand implements AutoCloseable {

  private final Workspace workspace = Workspace.create();
  private final Options options;
  private final Destination destination;
  private final VaultUnderTest vault;

  private Stand(Options options) {
    this.options = options;
    this.destination = Destination.start(workspace);
    this.vault = VaultUnderTest.start(workspace, options, destination);
  }

  static Stand start(Options options) {
    Tool.WRK.require();
    return new Stand(options);
  }

  Workspace workspace() {
    return workspace;
  }

  Destination destination() {
    return destination;
  }

  VaultUnderTest vault() {
    return vault;
  }

  NginxProxy nginx() {
    return NginxProxy.start(workspace, destination);
  }

  String forwarderUrl() {
    return Forwarder.start(workspace, options.jvm(), destination).url();
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

package io.tokenvault.benchmark;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** nginx, a bare forwarder and the vault, in turn, with the same request. */
@Command(
    name = "proxy",
    description = "proxied requests beside nginx and a bare forwarder",
    mixinStandardHelpOptions = true)
final class ProxyPart implements Callable<Integer> {

  private static final int CHECKED = 200;
  private static final String PATH = "/proxy/charges";

  @Mixin private Options options;

  @Option(names = "--connections", defaultValue = "32", description = "default: ${DEFAULT-VALUE}")
  private int connections;

  private final Report report = new Report();
  private final Figures forwarderRatio = new Figures();
  private final Figures vaultRatio = new Figures();
  private final Figures vaultToForwarder = new Figures();
  private final Figures tail = new Figures();

  @Override
  public Integer call() {
    report.part("Proxied requests: nginx, forwarder, vault");
    try (Workspace workspace = Workspace.create()) {
      Destination destination = Destination.start(workspace);
      NginxProxy nginx = NginxProxy.start(workspace, destination);
      RunningProgram forwarder = Forwarder.start(workspace, options.jvm(), destination);
      VaultUnderTest vault = VaultUnderTest.start(workspace, options, destination);
      ProxiedRequest request = ProxiedRequest.prepare(vault, destination);
      request.check(nginx.url(), ProxiedRequest.LENGTH);
      request.check(forwarder.url(), ProxiedRequest.LENGTH);
      checkGuarantee(new Guarantee(vault, destination), vault, request);
      Wrk wrk = Wrk.posting("proxy", workspace, request.headers(), request.body(), connections);
      warmUp(wrk, nginx.url(), forwarder.url(), vault.url());
      Guarantee guarantee = new Guarantee(vault, destination);
      for (int round = 1; round <= options.rounds; round++) {
        measure(round, wrk, guarantee, nginx.url(), forwarder.url(), vault.url());
      }
      summarize();
      guarantee.verify(report, (long) connections * options.rounds);
    }
    return 0;
  }

  /** Of requests that all are waited for, exactly one invocation and one use are recorded. */
  private void checkGuarantee(Guarantee guarantee, VaultUnderTest vault, ProxiedRequest request) {
    guarantee.begin();
    for (int i = 0; i < CHECKED; i++) {
      request.check(vault.url(), request.delivered());
    }
    guarantee.end();
    guarantee.verify(report, 0);
  }

  private void warmUp(Wrk wrk, String... urls) {
    for (String url : urls) {
      wrk.run(url + PATH, options.warmup).withoutErrors("warm-up");
    }
  }

  private void measure(
      int round, Wrk wrk, Guarantee guarantee, String nginx, String forwarder, String vault) {
    Load yardstick = wrk.run(nginx + PATH, options.seconds).withoutErrors("nginx");
    Load bare = wrk.run(forwarder + PATH, options.seconds).withoutErrors("forwarder");
    guarantee.begin();
    Load own = wrk.run(vault + PATH, options.seconds).withoutErrors("vault");
    guarantee.end();
    forwarderRatio.add(bare.perSecond() / yardstick.perSecond());
    vaultRatio.add(own.perSecond() / yardstick.perSecond());
    vaultToForwarder.add(own.perSecond() / bare.perSecond());
    tail.add(own.p99Millis() / yardstick.p99Millis());
    report.line("round %d, load %s", round, Report.load());
    report.line("  nginx     %s", yardstick);
    report.line("  forwarder %s", bare);
    report.line("  vault     %s", own);
  }

  private void summarize() {
    report.line("ratio to nginx of the same round, median (least to most):");
    report.line("  forwarder            %s", forwarderRatio);
    report.line("  vault                %s   at least 0.20, aim 0.30", vaultRatio);
    report.line("  vault's p99          %s   at most 8", tail);
    report.line("  vault to forwarder   %s", vaultToForwarder);
  }
}

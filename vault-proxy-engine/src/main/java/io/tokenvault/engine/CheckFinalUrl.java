package io.tokenvault.engine;

/** Joins the caller's path and query to the destination's, and checks what came of it. */
final class CheckFinalUrl implements Step {

  @Override
  public String name() {
    return "CheckFinalUrl";
  }

  @Override
  public Exchange apply(Exchange exchange) {
    Target joined = exchange.target().under(exchange.destination());
    joined.requireNoDotSegment();
    return exchange.joined(joined);
  }
}

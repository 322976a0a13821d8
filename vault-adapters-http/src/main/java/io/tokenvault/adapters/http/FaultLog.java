package io.tokenvault.adapters.http;

import io.tokenvault.domain.failure.VaultException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs faults by the classes of their exceptions and where these were thrown. Their texts are never
 * logged: they can quote data.
 */
final class FaultLog {

  private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);
  private static final int MAX_CAUSES = 8;
  private static final int MAX_FRAMES = 40;

  /** Something that nobody expected. */
  void fault(Throwable fault, TraceId trace) {
    LOG.error("Request {} failed:{}", trace.value(), describe(fault, MAX_FRAMES));
  }

  /** What was behind an expected failure, if anything was. */
  void noteCause(VaultException failure, TraceId trace) {
    if (failure.getCause() != null) {
      LOG.warn(
          "Request {} failed with {}:{}",
          trace.value(),
          failure.failure(),
          describe(failure.getCause(), 1));
    }
  }

  static String describe(Throwable fault, int maxFrames) {
    StringBuilder text = new StringBuilder();
    Throwable each = fault;
    for (int i = 0; each != null && i < MAX_CAUSES; i++) {
      text.append(i == 0 ? "\n" : "\ncaused by ").append(each.getClass().getName());
      appendFrames(text, each.getStackTrace(), maxFrames);
      each = each.getCause();
    }
    return text.toString();
  }

  private static void appendFrames(StringBuilder text, StackTraceElement[] frames, int maxFrames) {
    for (int i = 0; i < Math.min(maxFrames, frames.length); i++) {
      text.append("\n    at ").append(frames[i]);
    }
  }
}

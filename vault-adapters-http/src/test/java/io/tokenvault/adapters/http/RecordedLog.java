package io.tokenvault.adapters.http;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/** Captures the log messages of a class until it is closed. */
public final class RecordedLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Logger logger;

  private RecordedLog(Logger logger) {
    this.logger = logger;
  }

  public static RecordedLog of(Class<?> type) {
    RecordedLog log = new RecordedLog((Logger) LoggerFactory.getLogger(type));
    log.start();
    log.logger.addAppender(log);
    return log;
  }

  @Override
  protected void append(ILoggingEvent event) {
    lines.add(event.getFormattedMessage());
  }

  /** Waits for a message that contains the text. */
  public void await(String text) throws InterruptedException {
    String line;
    do {
      line = lines.poll(20, TimeUnit.SECONDS);
      if (line == null) {
        throw new AssertionError("not logged: " + text);
      }
    } while (!line.contains(text));
  }

  @Override
  public void close() {
    logger.detachAppender(this);
  }
}

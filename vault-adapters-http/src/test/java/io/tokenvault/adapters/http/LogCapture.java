package io.tokenvault.adapters.http;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/** Captures the log messages of a class until it is closed. */
public final class LogCapture extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
  private final Logger logger;

  private LogCapture(Logger logger) {
    this.logger = logger;
  }

  public static LogCapture of(Class<?> type) {
    LogCapture capture = new LogCapture((Logger) LoggerFactory.getLogger(type));
    capture.start();
    capture.logger.addAppender(capture);
    return capture;
  }

  @Override
  protected void append(ILoggingEvent event) {
    messages.add(event.getFormattedMessage());
  }

  /** Waits for a message that contains the text. */
  public void await(String text) throws InterruptedException {
    String message;
    do {
      message = messages.poll(20, TimeUnit.SECONDS);
      if (message == null) {
        throw new AssertionError("not logged: " + text);
      }
    } while (!message.contains(text));
  }

  @Override
  public void close() {
    logger.detachAppender(this);
  }
}

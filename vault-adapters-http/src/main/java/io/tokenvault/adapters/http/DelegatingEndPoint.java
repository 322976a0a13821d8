package io.tokenvault.adapters.http;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.Callback;

/** An end of a connection that does as another one does. */
abstract class DelegatingEndPoint implements EndPoint.Wrapper, EndPoint {

  private final EndPoint inner;

  DelegatingEndPoint(EndPoint inner) {
    this.inner = inner;
  }

  @Override
  public EndPoint unwrap() {
    return inner;
  }

  @Override
  public SocketAddress getLocalSocketAddress() {
    return inner.getLocalSocketAddress();
  }

  @Override
  public SocketAddress getRemoteSocketAddress() {
    return inner.getRemoteSocketAddress();
  }

  @Override
  public boolean isOpen() {
    return inner.isOpen();
  }

  @Override
  public long getCreatedTimeStamp() {
    return inner.getCreatedTimeStamp();
  }

  @Override
  public void shutdownOutput() {
    inner.shutdownOutput();
  }

  @Override
  public boolean isOutputShutdown() {
    return inner.isOutputShutdown();
  }

  @Override
  public boolean isInputShutdown() {
    return inner.isInputShutdown();
  }

  @Override
  public void close(Throwable cause) {
    inner.close(cause);
  }

  @Override
  public int fill(ByteBuffer buffer) throws IOException {
    return inner.fill(buffer);
  }

  @Override
  public boolean flush(ByteBuffer... buffers) throws IOException {
    return inner.flush(buffers);
  }

  @Override
  public Object getTransport() {
    return inner.getTransport();
  }

  @Override
  public long getIdleTimeout() {
    return inner.getIdleTimeout();
  }

  @Override
  public void setIdleTimeout(long millis) {
    inner.setIdleTimeout(millis);
  }

  @Override
  public void fillInterested(Callback callback) {
    inner.fillInterested(callback);
  }

  @Override
  public boolean tryFillInterested(Callback callback) {
    return inner.tryFillInterested(callback);
  }

  @Override
  public boolean isFillInterested() {
    return inner.isFillInterested();
  }

  @Override
  public void write(Callback callback, ByteBuffer... buffers) {
    inner.write(callback, buffers);
  }

  @Override
  public Callback cancelWrite(Throwable cause) {
    return inner.cancelWrite(cause);
  }

  @Override
  public Connection getConnection() {
    return inner.getConnection();
  }

  @Override
  public void setConnection(Connection connection) {
    inner.setConnection(connection);
  }

  @Override
  public void onOpen() {
    inner.onOpen();
  }

  @Override
  public void onClose(Throwable cause) {
    inner.onClose(cause);
  }

  @Override
  public void upgrade(Connection newConnection) {
    inner.upgrade(newConnection);
  }

  @Override
  public SslSessionData getSslSessionData() {
    return inner.getSslSessionData();
  }
}

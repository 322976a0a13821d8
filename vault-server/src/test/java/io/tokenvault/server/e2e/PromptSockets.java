package io.tokenvault.server.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ServerSocketFactory;

/**
 * Sockets that send at once. The recording server writes the head of an answer and its body apart,
 * and without this each body would wait 40 ms for the head to be acknowledged.
 */
final class PromptSockets extends ServerSocketFactory {

  @Override
  public ServerSocket createServerSocket() throws IOException {
    return new PromptServerSocket();
  }

  @Override
  public ServerSocket createServerSocket(int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog, InetAddress address) {
    throw new UnsupportedOperationException();
  }

  private static final class PromptServerSocket extends ServerSocket {

    PromptServerSocket() throws IOException {}

    @Override
    public Socket accept() throws IOException {
      Socket socket = super.accept();
      socket.setTcpNoDelay(true);
      return socket;
    }
  }
}

package io.tokenvault.adapters.jdbi.embedded;

import java.util.ArrayList;
import java.util.List;

/** What holds whatever {@code postgresql.conf} says; everything else is the administrator's. */
final class Settings {

  private static final List<String> FIXED =
      List.of(
          "listen_addresses=127.0.0.1",
          "unix_socket_directories=",
          "fsync=on",
          "full_page_writes=on",
          "password_encryption=scram-sha-256",
          "timezone=UTC",
          "log_timezone=UTC",
          // Statements, their parameters and even error texts can hold what callers sent: the log
          // gets the server's own life only ("log" stands above "error" here).
          "log_min_messages=log",
          "log_min_error_statement=panic",
          "log_statement=none",
          "log_min_duration_statement=-1",
          "log_min_duration_sample=-1",
          "log_transaction_sample_rate=0",
          "log_parameter_max_length=0",
          "log_parameter_max_length_on_error=0",
          "log_error_verbosity=terse",
          // These would make the log grow with the load.
          "log_checkpoints=off",
          "log_connections=",
          "log_disconnections=off",
          "log_lock_waits=off",
          "log_autovacuum_min_duration=-1",
          "log_temp_files=-1",
          "logging_collector=off",
          "log_destination=stderr");

  private Settings() {}

  static List<String> arguments(int port) {
    List<String> arguments = new ArrayList<>(List.of("-p", Integer.toString(port)));
    for (String setting : FIXED) {
      arguments.addAll(List.of("-c", setting));
    }
    return arguments;
  }
}

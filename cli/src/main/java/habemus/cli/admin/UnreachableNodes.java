package habemus.cli.admin;

import com.google.gson.JsonParseException;
import habemus.cli.terminal.CommandException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketException;
import javax.net.ssl.SSLException;

/** No node has answered, and what is probably wrong. */
record UnreachableNodes(String address, boolean tls, IOException cause) {

    CommandException toException() {
        boolean unexpectedReply = false;
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof SSLException) {
                return CommandException.failure(
                        "there is no TLS with a node at " + address + ": " + each.getMessage(),
                        "--trusted must hold its certificate, or that of its issuer; it must name this address; and the"
                                + " node must serve with --keys");
            }
            unexpectedReply |= each instanceof EOFException
                    || each instanceof ProtocolException
                    || each instanceof JsonParseException
                    || each instanceof SocketException && !(each instanceof ConnectException);
        }
        return unexpectedReply && !tls
                ? CommandException.failure(
                        "whoever is at " + address + " does not answer as a node does",
                        "if it serves with --keys, give --trusted and --password-file")
                : CommandException.failure(
                        "cannot reach a node at " + address,
                        "is one running there? habemus up starts some; --at HOST:PORT or $"
                                + ServiceClient.ADDRESS_VARIABLE + " chooses one");
    }
}

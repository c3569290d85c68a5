package habemus.cli.admin;

import com.google.gson.JsonParseException;
import habemus.cli.terminal.CommandException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketException;
import javax.net.ssl.SSLException;

/** Explains why no node could be reached. */
record UnreachableNodes(String address, boolean tls, IOException cause) {

    CommandException toException() {
        boolean unexpectedReply = false;
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof SSLException) {
                return CommandException.failure(
                        "TLS handshake failed with " + address + ": " + each.getMessage(),
                        "--truststore must hold the certificate of the node or of its issuer, valid for this address;"
                                + " start the node with --keystore");
            }
            unexpectedReply |= each instanceof EOFException
                    || each instanceof ProtocolException
                    || each instanceof JsonParseException
                    || each instanceof SocketException && !(each instanceof ConnectException);
        }
        return unexpectedReply && !tls
                ? CommandException.failure(
                        "not a node: " + address + " sent an unexpected reply",
                        "if the node uses TLS, give --truststore and --password-file")
                : CommandException.failure(
                        "no node reachable at " + address,
                        "start nodes with habemus up, or set --at HOST:PORT or $" + ServiceClient.ADDRESS_VARIABLE);
    }
}

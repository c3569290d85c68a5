package habemus.cli.admin;

import com.google.gson.JsonObject;
import habemus.cli.options.AddressOptions;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.harness.cluster.NodeHttpClient;
import habemus.lab.command.CommandException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** The HTTP client of a command: reads {@code --at} and the credentials, and turns errors into exit codes and hints. */
public final class ServiceClient extends NodeHttpClient {

    static final String ADDRESS_VARIABLE = "HABEMUS_AT";

    private static final String SECTION = "Connection:";
    private static final String DEFAULT_ADDRESS = "127.0.0.1:7801";
    private static final Duration CHANGE_TIMEOUT = REQUEST_TIMEOUT.multipliedBy(3);
    private static final Duration DOWNLOAD_TIMEOUT = Duration.ofMinutes(1);
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int SERVICE_UNAVAILABLE = 503;

    private ServiceClient(List<String> addresses, Credentials credentials) {
        super(addresses, credentials.token(), credentials.tls());
    }

    public static CommandSyntax addOptions(CommandSyntax syntax) {
        return Credentials.addOptions(
                syntax.value(
                        SECTION,
                        "--at",
                        "HOST:PORT,…",
                        "HTTP addresses of one or more nodes (default: $" + ADDRESS_VARIABLE + ", or " + DEFAULT_ADDRESS
                                + ")"),
                SECTION);
    }

    public static ServiceClient of(ParseResult parsed) {
        var variable = System.getenv(ADDRESS_VARIABLE);
        var text = ParsedOptions.text(parsed, "--at").orElse(variable == null ? DEFAULT_ADDRESS : variable);
        var addresses = List.of(text.split(",", -1)).stream()
                .map(address -> AddressOptions.format(AddressOptions.parse(address.strip(), "--at")))
                .toList();
        return new ServiceClient(addresses, Credentials.of(parsed));
    }

    /** @throws CommandException if no node can be reached, or the node rejects the request */
    JsonObject get(String path) {
        try {
            return PrintableJson.of(requireSuccess(get(path, REQUEST_TIMEOUT)).json());
        } catch (IOException unreachable) {
            throw unreachable();
        }
    }

    /**
     * Empty if the resource does not exist.
     *
     * @throws CommandException if no node can be reached, or the node rejects the request
     */
    public Optional<JsonObject> find(String path) {
        try {
            var reply = get(path, REQUEST_TIMEOUT);
            return reply.status() == NOT_FOUND
                    ? Optional.empty()
                    : Optional.of(PrintableJson.of(requireSuccess(reply).json()));
        } catch (IOException unreachable) {
            throw unreachable();
        }
    }

    /** @throws CommandException if no node can be reached, or the node rejects the request */
    JsonObject post(String path, JsonObject body) {
        try {
            return PrintableJson.of(
                    requireSuccess(post(path, body, CHANGE_TIMEOUT)).json());
        } catch (IOException unreachable) {
            throw unreachable();
        }
    }

    /** @throws CommandException if no node can be reached, or the node rejects the request */
    JsonObject delete(String path) {
        try {
            return PrintableJson.of(requireSuccess(delete(path, CHANGE_TIMEOUT)).json());
        } catch (IOException unreachable) {
            throw unreachable();
        }
    }

    /** @throws CommandException if no node can be reached, or the node rejects the request */
    byte[] download(String path) {
        try {
            return download(path, DOWNLOAD_TIMEOUT, ServiceClient::requireSuccess);
        } catch (IOException unreachable) {
            throw unreachable();
        }
    }

    static Reply requireSuccess(Reply reply) {
        if (!reply.isSuccess()) {
            throw reply.status() == SERVICE_UNAVAILABLE
                    ? CommandException.failure(reply.error("message"), reply.error("hint"))
                    : CommandException.usage(reply.error("message"), reply.error("hint"));
        }
        return reply;
    }

    public CommandException unreachable() {
        return new UnreachableNodes(String.join(" or ", nodes()), hasTls(), lastError()).toException();
    }

    /**
     * Learns the addresses of the other nodes, if the cluster runs the lock service.
     *
     * @param timeout for each node
     * @return whether the cluster may run the lock service
     * @throws CommandException if no node can be reached, or the node does not know the client
     */
    public boolean discoverNodes(Duration timeout) {
        try {
            var status = fetchNodes(timeout);
            if (status.status() == UNAUTHORIZED) {
                requireSuccess(status); // every other node would reject the client too
            }
            return !status.isSuccess() || isLockService(status);
        } catch (IOException unreachable) {
            throw unreachable();
        }
    }
}

package habemus.client;

import habemus.client.environment.ClientEnvironment;
import habemus.lockservice.ClientInfo;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.concurrent.Executor;

/** The environment of a client in a real process: sockets, virtual threads, the clock of the system. */
final class ProcessEnvironment {

    private static final SecureRandom RANDOM = new SecureRandom();
    static final Executor CALLBACK_EXECUTOR =
            task -> Thread.ofVirtual().name("habemus-callback").start(task);

    private ProcessEnvironment() {}

    static ClientEnvironment of(ClientOptions options) {
        var connector =
                new SocketConnector(options.connectTimeout(), options.tls().map(TlsOptions::toContext));
        var loop = new CombiningEventLoop("habemus-" + options.name(), connector::flush);
        return new ClientEnvironment(loop, connector, RANDOM, CALLBACK_EXECUTOR, process());
    }

    private static ClientInfo process() {
        long pid = ProcessHandle.current().pid();
        var host = host();
        return new ClientInfo(host + "/" + pid, host, pid);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}

package habemus.service.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the channels of a node: listens, connects, and starts TLS if the node has certificates. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails closes the channel, and that is noticed
final class ChannelOpener {

    private static final Logger LOG = LoggerFactory.getLogger(ChannelOpener.class);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final int BACKLOG = 1_024;

    private final NettyEventLoop loop;
    private final Optional<TlsEngineFactory> tls;
    private final int maxReadsPerTurn;

    /** @param maxReadsPerTurn of an accepted channel, each of at most 64 KB; the others have to wait for them */
    ChannelOpener(NettyEventLoop loop, Optional<TlsEngineFactory> tls, int maxReadsPerTurn) {
        this.loop = loop;
        this.tls = tls;
        this.maxReadsPerTurn = maxReadsPerTurn;
    }

    /**
     * Listens at an address. The channel accepts nothing before it reads. Not on the event loop, because it waits.
     *
     * @param onAccepted gets each new channel, which does not read before {@link #open}
     * @throws IllegalStateException if the address is in use
     */
    Channel listen(InetSocketAddress address, Consumer<Channel> onAccepted) {
        var bound = new ServerBootstrap()
                .group(loop.netty(), loop.netty())
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(maxReadsPerTurn))
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childHandler(initializer(onAccepted))
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw cannotListen(address, bound.cause());
        }
        bound.channel().pipeline().addLast(new AcceptFailureHandler());
        return bound.channel();
    }

    private static IllegalStateException cannotListen(InetSocketAddress address, Throwable cause) {
        var reason = address.isUnresolved() ? "unknown host" : String.valueOf(cause.getMessage());
        var hint = reason.contains("in use")
                ? "stop the process that uses this port, or choose another port"
                : reason.contains("ermission") ? "choose a port above 1023" : "choose an address of this machine";
        return new IllegalStateException(
                "cannot listen at " + address.getHostString() + ":" + address.getPort() + ": " + reason + "\nhint: "
                        + hint,
                cause);
    }

    /** If the process has no free file descriptor, Netty stops to accept for a second. The port stays open. */
    private static final class AcceptFailureHandler extends ChannelInboundHandlerAdapter {

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            LOG.warn(
                    "connection not accepted, trying again in 1 s address={} reason=\"{}\"",
                    context.channel().localAddress(),
                    cause.getMessage());
        }
    }

    private static ChannelHandler initializer(Consumer<Channel> onOpened) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                onOpened.accept(channel);
            }
        };
    }

    /** Whether so many handshakes wait for their computations that a new one would not end in time. */
    boolean isOverloaded() {
        return tls.isPresent() && tls.get().isOverloaded();
    }

    /** Starts to read from an accepted channel. */
    void open(Channel channel, ChannelConnection connection) {
        connection.attach(channel);
        if (tls.isEmpty()) {
            connection.addHandlers();
            channel.config().setAutoRead(true);
            return;
        }
        tls.get().execute(() -> {
            var context = tls.get().currentContext();
            runOnLoop(() -> {
                channel.pipeline().addLast(tls.get().acceptingHandler(context));
                connection.addHandlers();
                channel.config().setAutoRead(true);
            });
        });
    }

    /** Connects to a peer. If that fails, the connection is closed. */
    void connect(Member member, PeerConnection connection) {
        // Resolves the name for each attempt, because a node may return at another address.
        Thread.ofVirtual().name(loop.threadName() + "-resolve").start(() -> {
            var address = new InetSocketAddress(
                    member.address().getHostString(), member.address().getPort());
            var context = tls.map(TlsEngineFactory::currentContext);
            runOnLoop(() -> connect(address, connection, context));
        });
    }

    private void connect(InetSocketAddress address, PeerConnection connection, Optional<SSLContext> context) {
        if (address.isUnresolved()) {
            connection.close("unknown host " + address.getHostString());
            return;
        }
        new Bootstrap()
                .group(loop.netty())
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT_TIMEOUT.toMillis())
                .handler(initializer(channel -> {
                    connection.attach(channel);
                    context.ifPresent(known ->
                            channel.pipeline().addLast(tls.orElseThrow().dialingHandler(known)));
                    connection.addHandlers();
                }))
                .connect(address)
                .addListener(connected -> {
                    if (!connected.isSuccess()) {
                        connection.onConnectFailed(connected.cause());
                    }
                });
    }

    private void runOnLoop(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException closed) {
            return; // the loop has ended, and its channels with it
        }
    }
}

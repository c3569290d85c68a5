package habemus.bench.transport;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.parsetools.RecordParser;
import java.net.InetSocketAddress;

/** Returns every frame to its sender, on one event loop. A frame begins with its length in four bytes. */
interface EchoServer extends AutoCloseable {

    int MAX_FRAME_BYTES = 1 << 20;

    int port();

    @Override
    void close();

    static EchoServer onNetty() {
        var group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        var channel = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel accepted) {
                        accepted.pipeline()
                                .addLast(
                                        new LengthFieldBasedFrameDecoder(MAX_FRAME_BYTES, 0, Integer.BYTES),
                                        new NettyEcho());
                    }
                })
                .bind("127.0.0.1", 0)
                .syncUninterruptibly()
                .channel();
        return new EchoServer() {
            @Override
            public int port() {
                return ((InetSocketAddress) channel.localAddress()).getPort();
            }

            @Override
            public void close() {
                group.shutdownGracefully().syncUninterruptibly();
            }
        };
    }

    /** Writes the frames of one read with one flush, as the nodes do. */
    final class NettyEcho extends ChannelInboundHandlerAdapter {

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel
        public void channelRead(ChannelHandlerContext context, Object frame) {
            context.write((ByteBuf) frame);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }
    }

    static EchoServer onVertx() {
        var vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        var server = vertx.createNetServer(
                new NetServerOptions().setHost("127.0.0.1").setPort(0).setTcpNoDelay(true));
        server.connectHandler(socket -> {
            var parser = RecordParser.newFixed(Integer.BYTES);
            parser.setOutput(new VertxEcho(parser, socket::write));
            socket.handler(parser);
        });
        server.listen().await();
        return new EchoServer() {
            @Override
            public int port() {
                return server.actualPort();
            }

            @Override
            public void close() {
                vertx.close().await();
            }
        };
    }

    /** Reads a length and then a body in turn. */
    final class VertxEcho implements io.vertx.core.Handler<Buffer> {

        private final RecordParser parser;
        private final io.vertx.core.Handler<Buffer> output;
        private boolean isLengthNext = true;

        VertxEcho(RecordParser parser, io.vertx.core.Handler<Buffer> output) {
            this.parser = parser;
            this.output = output;
        }

        @Override
        public void handle(Buffer part) {
            if (isLengthNext) {
                parser.fixedSizeMode(part.getInt(0));
            } else {
                output.handle(Buffer.buffer(Integer.BYTES + part.length())
                        .appendInt(part.length())
                        .appendBuffer(part));
                parser.fixedSizeMode(Integer.BYTES);
            }
            isLengthNext = !isLengthNext;
        }
    }
}

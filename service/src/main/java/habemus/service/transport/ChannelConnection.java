package habemus.service.transport;

import io.netty.channel.Channel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;

/** A connection over one channel, which it closes. Only on the event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails closes the channel, and that is noticed
interface ChannelConnection {

    /** Longest frame that a node reads from a peer or client that it does not know yet. */
    int MAX_HANDSHAKE_BYTES = 4 << 10;

    /** Handles a channel from now on. Call it before {@link #addHandlers}. */
    void attach(Channel opened);

    /** Adds the handlers of frames to the pipeline of the channel. */
    void addHandlers();

    /** Closes the connection. What the socket has not taken yet is lost. */
    void close(String reason);

    /** Ends the output after what is written already. The client can read it, even if the node reads no more. */
    static void endOutput(Channel channel) {
        var socket = (SocketChannel) channel;
        var tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            socket.shutdownOutput();
        } else {
            tls.closeOutbound().addListener(told -> socket.shutdownOutput());
        }
    }
}

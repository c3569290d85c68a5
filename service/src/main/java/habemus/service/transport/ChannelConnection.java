package habemus.service.transport;

import io.netty.channel.Channel;

/** A connection over one channel, which it closes. Only on the event loop. */
interface ChannelConnection {

    /** Longest frame that a node reads from a peer or client that it does not know yet. */
    int MAX_HANDSHAKE_BYTES = 4 << 10;

    /** Handles a channel from now on. Call it before {@link #addHandlers}. */
    void attach(Channel opened);

    /** Adds the handlers of frames to the pipeline of the channel. */
    void addHandlers();

    /** Closes the connection. What the socket has not taken yet is lost. */
    void close(String reason);
}

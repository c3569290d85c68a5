package habemus.client.environment;

import habemus.lockservice.protocol.ClientFrame;
import java.time.Duration;

/** Connects a client to nodes of the service. */
public interface NodeConnector {

    /** A connection as the client sees it. The client calls it on its event loop. No method blocks. */
    interface Channel {

        /**
         * Sends a frame. The channel keeps it until the connection is open. A broken channel drops it.
         *
         * @param frame sent after all earlier frames
         */
        void send(ClientFrame.ToService frame);

        /** Closes the connection. The channel may drop frames that are not sent yet. */
        void close();
    }

    /** Receives the frames of a connection in order, then its end. Any thread may call it. No method blocks. */
    interface Receiver {

        /**
         * Receives a frame.
         *
         * @param frame sent by the node
         */
        void onFrame(ClientFrame.ToClient frame);

        /**
         * The connection failed or has ended. This is the last call.
         *
         * @param reason for operators
         */
        void onBroken(String reason);
    }

    /**
     * Starts to connect, and returns at once. The receiver is not called before this method has returned, unless by
     * another thread.
     *
     * @param endpoint of the node
     * @param delay before the attempt; may be zero
     * @param receiver of frames and of the end
     * @return the connection
     */
    Channel open(Endpoint endpoint, Duration delay, Receiver receiver);
}

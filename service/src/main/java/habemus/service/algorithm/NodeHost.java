package habemus.service.algorithm;

import habemus.concurrent.EventLoop;
import habemus.service.transport.ClusterHandshake;
import habemus.service.transport.NettyEventLoop;
import habemus.service.transport.NettyTransport;
import habemus.service.transport.PeerIncarnation;
import habemus.service.transport.Transport;

/**
 * What a node runs on.
 *
 * @param transports creates the transport of this incarnation
 * @param closeLoop ends the event loop
 */
record NodeHost(EventLoop loop, TransportFactory transports, Runnable closeLoop) {

    /** Creates a transport that admits the peers of this node. */
    interface TransportFactory {
        Transport create(PeerIncarnation self, ClusterHandshake.Admission admission);
    }

    /** Real sockets. */
    static NodeHost of(AlgorithmNodeConfig config, NettyEventLoop loop) {
        return new NodeHost(
                loop,
                (self, admission) -> new NettyTransport(
                        config.selfMember(),
                        config.transportSecurity(),
                        new ClusterHandshake(config.cluster(), self, admission),
                        loop),
                loop::close);
    }
}

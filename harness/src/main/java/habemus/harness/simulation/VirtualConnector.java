package habemus.harness.simulation;

import habemus.client.environment.Endpoint;
import habemus.client.environment.NodeConnector;
import habemus.codec.Codec;
import habemus.lockservice.protocol.ClientFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Connects a simulated client to nodes. The host of an endpoint is {@code 10.0.0.N} for node {@code nN}. */
final class VirtualConnector implements NodeConnector {

    private static final Codec<ClientFrame.ToService> REQUESTS = Codec.of(ClientFrame.ToService.class);
    private static final Codec<ClientFrame.ToClient> REPLIES = Codec.of(ClientFrame.ToClient.class);

    private final VirtualNetwork network;
    private final VirtualNetwork.Host host;
    private final ServiceCoverage coverage;
    private int lastProcess = -1;

    VirtualConnector(VirtualNetwork network, VirtualNetwork.Host host, ServiceCoverage coverage) {
        this.network = network;
        this.host = host;
        this.coverage = coverage;
    }

    @Override
    public Channel open(Endpoint endpoint, Duration delay, Receiver receiver) {
        var channel = new VirtualChannel(receiver);
        int process = Integer.parseInt(endpoint.host().substring(endpoint.host().lastIndexOf('.') + 1)) - 1;
        if (lastProcess >= 0 && lastProcess != process) {
            coverage.count(ServiceSituation.CLIENT_SWITCHED);
        }
        lastProcess = process;
        network.trace().line(() -> "process " + host.process() + " connects to " + endpoint + " after " + delay);
        host.loop().schedule(delay, () -> {
            if (!channel.isClosed) {
                network.connect(host, process, false, channel);
            }
        });
        return channel;
    }

    private static final class VirtualChannel implements Channel, VirtualNetwork.Dialer, VirtualConnection.Receiver {
        private final Receiver receiver;
        private final List<byte[]> unsent = new ArrayList<>();
        private VirtualConnection.@Nullable End end;
        private boolean isClosed;

        VirtualChannel(Receiver receiver) {
            this.receiver = receiver;
        }

        @Override
        public void send(ClientFrame.ToService frame) {
            var bytes = REQUESTS.write(frame);
            if (end != null) {
                end.send(VirtualClientPort.FRAME, bytes);
            } else {
                unsent.add(bytes);
            }
        }

        @Override
        public void onOpened(VirtualConnection.End opened) {
            if (isClosed) {
                opened.close();
                return;
            }
            end = opened;
            opened.setReceiver(this);
            unsent.forEach(bytes -> opened.send(VirtualClientPort.FRAME, bytes));
            unsent.clear();
        }

        @Override
        public void onFailed() {
            breakWith("connection refused");
        }

        @Override
        public void onFrame(int kind, byte[] bytes) {
            if (!isClosed) {
                receiver.onFrame(REPLIES.read(bytes));
            }
        }

        @Override
        public void onClosed() {
            breakWith("connection closed");
        }

        private void breakWith(String reason) {
            if (!isClosed) {
                isClosed = true;
                receiver.onBroken(reason);
            }
        }

        @Override
        public void close() {
            isClosed = true;
            if (end != null) {
                end.close();
            }
        }
    }
}

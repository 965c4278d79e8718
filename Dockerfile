# The image of `controller run`: this program, built from these sources, and Node.
#   docker build -t REGISTRY/karmada-failover:VERSION .
ARG NODE=node:24-slim

FROM ${NODE} AS build
WORKDIR /build
COPY . .
# builds, too
RUN npm ci

FROM ${NODE}
WORKDIR /app
# the build is one bundle: nothing of node_modules is needed to run it
COPY --from=build /build/package.json /build/oclif.manifest.json /build/LICENSE ./
COPY --from=build /build/bin ./bin
COPY --from=build /build/dist ./dist
# a number, so that the kubelet can see that it is not root
USER 65532:65532
ENV NODE_ENV=production
ENTRYPOINT ["node", "/app/bin/kubectl-karmada_failover.js"]

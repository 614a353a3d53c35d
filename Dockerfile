# syntax=docker/dockerfile:1

FROM node:20-bookworm-slim AS modules
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund

FROM rust:1.95-bookworm AS build
WORKDIR /src
# Bundling needs only the node binary.
COPY --from=modules /usr/local/bin/node /usr/local/bin/node
COPY --from=modules /src/node_modules node_modules
COPY . .
# The target folder is a cache, not part of the image, so the binary is copied out of it.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/usr/local/cargo/.rusty_v8 \
    --mount=type=cache,target=/src/target \
    cargo build --profile dist --locked --bin matricula \
    && objcopy --strip-all target/dist/matricula /usr/local/bin/matricula \
    && mkdir /empty

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /usr/local/bin/matricula /usr/local/bin/matricula
# A new volume inherits the folder's owner, the image's user.
COPY --from=build --chown=65532:65532 /empty /data
VOLUME /data
ENV MATRICULA_BIND=0.0.0.0:8080 MATRICULA_DATA_DIR=/data
WORKDIR /data
EXPOSE 8080
CMD ["matricula", "serve"]
